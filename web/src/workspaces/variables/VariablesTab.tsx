export const VariablesTab = () => <p>soon</p>
