export const StateTab = () => <p>soon</p>
