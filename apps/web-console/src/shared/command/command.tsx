import { useState } from 'react'
import { CopyButton } from '../clipboard/copy-button.tsx'
import { MASK } from '../secret/mask.ts'
import { RevealButton } from '../secret/reveal-button.tsx'
import classes from './command.module.css'
import { shellTokens } from './shell-tokens.ts'

export interface CommandProps {
  /** The whole shell line. */
  line: string
  /** Names it in the labels of the buttons: "command: revoke a certificate". */
  what: string
  /** A key inside the line, masked until revealed; the copied text contains it. */
  secret?: string | undefined
}

/** A shell line to read and to copy. It wraps instead of scrolling, so that a phone shows all of it. */
export function Command({ line, what, secret }: CommandProps) {
  const [shown, setShown] = useState(false)
  const holdsSecret = secret !== undefined && secret !== '' && line.includes(secret)
  const visible = holdsSecret && !shown ? line.replaceAll(secret, MASK) : line
  return (
    <div className={classes.command}>
      <code className={classes.line} translate="no">
        {shellTokens(visible).map(({ kind, text }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one fixed line have no other identity
          <span key={place} data-kind={kind}>
            {text}
          </span>
        ))}
      </code>
      <span className={classes.buttons}>
        {holdsSecret && <RevealButton shown={shown} onChange={setShown} what={what} />}
        <CopyButton text={line} what={what} />
      </span>
    </div>
  )
}
