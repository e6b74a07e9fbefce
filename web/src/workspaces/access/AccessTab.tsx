export const AccessTab = () => <p>soon</p>
