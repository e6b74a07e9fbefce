export const SettingsTab = () => <p>soon</p>
