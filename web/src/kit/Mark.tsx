/** The mark: a bench holdfast, a hook that presses a plate. */
export const Mark = ({ size = 20 }: { size?: 16 | 20 | 32 }) => (
  <svg
    width={size}
    height={size}
    viewBox="5.2 1.2 18.2 22"
    fill="none"
    strokeWidth={3}
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path stroke="currentColor" d="M7 21.5V8.2A5.2 5.2 0 0 1 12.2 3C16 3 18.5 5.6 18.5 10.2" />
    <path stroke="var(--accent)" d="M12.4 15.2H21.6" />
  </svg>
)
