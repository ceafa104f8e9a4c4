// The field for a PIN, and what the token says of it.
import { escapeHtml } from '@chancela/service-kernel/http'
import type { PinState, Refused } from '../sources/source.ts'
import type { Say } from './texts.ts'

/** What is known of the PIN of a source, and of the last attempt. */
export interface PinTrouble {
  readonly pinState: PinState
  readonly refused?: Refused | undefined
}

/** What was wrong, and what the token says of its PIN; each thing once. */
export function warnings({ refused, pinState }: PinTrouble, say: Say): string {
  const sentences = [
    ...(refused ? [refused.kind === 'failed' ? say('failed', { reason: refused.reason }) : say(refused.kind)] : []),
    ...(pinState === 'fine' ? [] : [say(pinState)]),
  ]
  return [...new Set(sentences)].map((sentence) => `<p role="alert">${escapeHtml(sentence)}</p>`).join('\n')
}

/** Whether no PIN can be tried. */
export const isLocked = ({ pinState, refused }: PinTrouble): boolean =>
  pinState === 'locked' || refused?.kind === 'locked'

/** With a sentence that says what becomes of the PIN. */
export const pinField = ({ pinState }: PinTrouble, say: Say, note: string): string => `
<label>${escapeHtml(say('pin'))} <input type="password" name="pin" required autofocus autocomplete="off" maxlength="256"></label>
${pinState === 'final-try' ? `<label><input type="checkbox" name="finalTry" value="yes" required> ${escapeHtml(say('final-try-yes'))}</label>` : ''}
<small>${escapeHtml(note)}</small>`
