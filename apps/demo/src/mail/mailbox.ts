import { StartupProblem } from '@chancela/service-kernel/errors'
import type { StatelessContext } from '@chancela/service-kernel/service'
import { type ReceivedMail, startSmtpServer } from '@chancela/testkit/mail'
import Type, { type Static } from 'typebox'

/** Where the mailbox listens: a section of the home page's settings. */
export const mailboxSettings = Type.Object({
  Port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8091,
    description: 'TCP port of the SMTP server that takes every e-mail of the demo; 0 takes any free one.',
  }),
})

/** The received mails. */
export interface Mailbox {
  /** The newest first. */
  mails(): readonly ReceivedMail[]
  find(number: number): ReceivedMail | undefined
}

/** Enough to follow a user's actions; the oldest mails are dropped, and all of them when the process ends. */
const KEPT_MAILS = 200

/** Accepts every mail on the loopback, for any recipient; closes with the service. */
export async function openMailbox(
  { closing }: StatelessContext,
  settings: Static<typeof mailboxSettings>,
): Promise<Mailbox> {
  const server = await startSmtpServer({ port: settings.Port, keeps: KEPT_MAILS }).catch((error) => {
    throw portProblem(error, settings.Port) ?? error
  })
  closing.add('the mailbox', () => server.stop())
  return {
    mails: () => server.inbox.toReversed(),
    find: (number) => server.inbox.find((mail) => mail.number === number),
  }
}

function portProblem(error: NodeJS.ErrnoException, port: number): StartupProblem | undefined {
  if (error.code !== 'EADDRINUSE') return undefined
  const setting = 'home Mailbox:Port'
  const sentence = `Port ${port} is already in use by another program. Change the setting ${setting}.`
  return new StartupProblem(sentence, { setting, cause: error })
}
