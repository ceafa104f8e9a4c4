import { randomUUID } from 'node:crypto'
import type { Clock } from '@chancela/service-kernel/clock'
import { createHttpClient } from '@chancela/service-kernel/http-client'
import { layout, type MailSettings } from '../mail/index.ts'
import { openMailTransport } from '../mail/mail-transport.ts'
import { signedHeaders, signingKey } from '../webhooks/signed-headers.ts'
import { bodyOf, mailOf, type Notice } from './notice.ts'
import type { NoticeSettings } from './notice-settings.ts'

/** A way to tell operators. It resolves when somebody has taken the notice, and rejects otherwise. */
export interface Channel {
  readonly name: string
  tell(notice: Notice): Promise<void>
  close(): Promise<void>
}

export interface ChannelOptions {
  readonly service: string
  readonly dataFolder: string
  readonly clock: Clock
  readonly settings: { readonly Notices: NoticeSettings; readonly Email: MailSettings }
}

/** The channels of the settings: one for each address, so that a wrong one keeps nobody else from being told. */
export function openChannels(options: ChannelOptions): readonly Channel[] {
  const { Notices, Email } = options.settings
  const { Recipients, WebhookUrl, WebhookSecret } = Notices
  const mails = Email.Enabled ? Recipients.map((address) => mailChannel(options, address)) : []
  return WebhookUrl && WebhookSecret ? [...mails, webhookChannel(options, WebhookUrl, WebhookSecret)] : mails
}

/** Sent at once and not from the outbox: its database may be what the notice tells of. */
function mailChannel({ service, dataFolder, clock, settings }: ChannelOptions, address: string): Channel {
  const transport = openMailTransport(service, dataFolder, { ...settings.Email, Connections: 1 })
  const { Language } = settings.Notices
  return {
    name: 'mail',
    tell: (notice) =>
      transport.send(randomUUID(), { to: { address }, ...layout(mailOf(notice, Language), Language) }, clock()),
    close: () => transport.close(),
  }
}

const CONNECT_MS = 5_000
const ANSWER_MS = 20_000
const ANSWER_BYTES = 65_536

/** The operator's own address, which may be on the internal network. */
function webhookChannel({ clock }: ChannelOptions, url: string, secret: string): Channel {
  const client = createHttpClient({
    connectTimeoutMs: CONNECT_MS,
    deadlineMs: ANSWER_MS,
    maxAnswerBytes: ANSWER_BYTES,
  })
  const keys = [signingKey(secret)]
  return {
    name: 'webhook',
    tell: async (notice) => {
      const body = bodyOf(notice)
      const signed = signedHeaders({ id: randomUUID(), at: clock(), body }, keys)
      const headers = { 'content-type': 'application/json', ...signed }
      const { status } = await client.exchange({ method: 'POST', url, headers, body: Buffer.from(body) })
      if (status < 200 || status > 299) throw new Error(`The receiver of notices answered ${status}.`)
    },
    close: () => client.close(),
  }
}
