import { HopelessJob } from '../queue/index.ts'

/** The server will not take this mail, today or tomorrow. */
export class MailRefused extends HopelessJob {}

/** What the mail library tells of a failure. */
interface SmtpError {
  readonly message: string
  /** `ESOCKET`, `EAUTH` … */
  readonly code?: string
  /** What the server answered to, and how. */
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/**
 * A failure as it may be logged and kept. Once the server has read a mail its answer may quote it, and with it a code or
 * a link: from then on only the number of the answer is told, and the original error is let go.
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

/** Refusals of the recipient or of the mail itself; those of the sender or of the account are for an operator to mend. */
const FINAL: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA'])

// 503 blames the order of commands, so that another connection may do.
const isFinal = ({ command, responseCode = 0 }: SmtpError): boolean =>
  FINAL.has(command) && responseCode >= 500 && responseCode !== 503
