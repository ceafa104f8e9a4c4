import { HopelessJob } from '../queue/index.ts'

/** The server refused this mail permanently. */
export class MailRefused extends HopelessJob {}

/** The mail library's error. */
interface SmtpError {
  readonly message: string
  /** `ESOCKET`, `EAUTH` … */
  readonly code?: string
  /** The SMTP command that the server answered to, and its response. */
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/**
 * A failure in a form that may be logged and stored. Once the server has read a mail its response may quote it, and
 * with it a code or a link: from then on only the response code is kept, and the original error is dropped.
 */
export function smtpFailure(thrown: unknown): Error {
  const error = thrown as SmtpError
  const sentence = sentenceOf(error)
  return isFinal(error) ? new MailRefused(sentence) : new Error(sentence)
}

function sentenceOf({ message, code, command, response, responseCode }: SmtpError): string {
  if (responseCode === undefined) return `The mail was not handed over (${code ?? 'no code'}): ${message}`
  const answer = command === 'DATA' ? responseCode : response
  return `The SMTP server answered ${command}: ${answer}`
}

/** Refusals of the recipient or the mail itself; those of the sender or the account are for an operator to fix. */
const FINAL: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA'])

// 503 means a wrong order of commands, so another connection may work.
const isFinal = ({ command, responseCode = 0 }: SmtpError): boolean =>
  FINAL.has(command) && responseCode >= 500 && responseCode !== 503
