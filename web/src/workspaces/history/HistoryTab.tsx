export const HistoryTab = () => <p>soon</p>
