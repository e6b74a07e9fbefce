export const ResourcesTab = () => <p>soon</p>
