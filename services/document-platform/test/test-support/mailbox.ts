// A mail server with the platform's settings for it, and its inbox.
import { type ReceivedMail, startSmtpServer } from '@chancela/testkit/mail'
import { afterAll, vi } from 'vitest'

/** One server for the tests of a file that calls this at its top. */
export async function fileMailbox() {
  const server = await startSmtpServer()
  afterAll(() => server.stop())
  const Email = { Enabled: true, Host: '127.0.0.1', Port: server.port, Security: 'None', From: 'documents@example.com' }

  /** Only mails received from now on: `mails` waits until there are `count`. */
  function fromNowOn() {
    const before = server.inbox.length
    const inbox = (): readonly ReceivedMail[] => server.inbox.slice(before)
    const mails = async (count: number) => {
      await vi.waitUntil(() => inbox().length >= count, { interval: 20 })
      return inbox()
    }
    return { inbox, mails }
  }
  return { Email, fromNowOn }
}
