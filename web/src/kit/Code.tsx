import styles from './Code.module.css'
import { Copy } from './Copy.tsx'

/** Code that people copy. */
export const CodeBlock = ({ text, label = 'Copy code' }: { text: string; label?: string }) => (
  <div className={styles.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by keyboard. */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
    <div className={styles.corner}>
      <Copy text={text} label={label} />
    </div>
  </div>
)
