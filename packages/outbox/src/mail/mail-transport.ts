import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { asOneLine, plainLines } from '@chancela/service-kernel/text'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import type { MailContent } from './mail.ts'
import type { MailSettings } from './mail-settings.ts'
import { smtpFailure } from './smtp-failure.ts'

/** Sends mails to the SMTP server. */
export interface MailTransport {
  /** Resolves when the server has accepted the mail; rejects with a loggable error, `MailRefused` if permanent. */
  send(id: string, content: MailContent, now: Date): Promise<void>
  /** Aborts what is in progress. */
  close(): Promise<void>
}

/** Connections are opened with the first mail, and pooled. */
export function openMailTransport(service: string, dataFolder: string, settings: MailSettings): MailTransport {
  const options = poolOptions(service, dataFolder, settings)
  let opened: ReturnType<typeof openPool> | undefined
  return {
    send: async (id, content, now) => {
      opened ??= openPool(options)
      const pool = await opened
      const message = messageOf(id, content, settings, now)
      await pool.sendMail(message).catch((error) => Promise.reject(smtpFailure(error)))
    },
    close: async () => (await opened)?.close({ force: true }),
  }
}

const GREETING_MS = 3 * SECOND

/** Connects, is greeted, and takes TLS where the settings ask for it; rejects with a loggable error. Nobody signs in. */
export async function greeted(service: string, dataFolder: string, settings: MailSettings): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const { auth: _, ...options } = poolOptions(service, dataFolder, settings)
  const limits = { connectionTimeout: GREETING_MS, greetingTimeout: GREETING_MS, socketTimeout: GREETING_MS }
  const transport = createTransport({ ...options, ...limits })
  try {
    await transport.verify().catch((error) => Promise.reject(smtpFailure(error)))
  } finally {
    transport.close()
  }
}

/** The library is loaded with the first mail, so that services without mail start faster. */
async function openPool(options: SMTPPoolOptions) {
  const { createTransport } = await import('nodemailer')
  return createTransport({ ...options, pool: true })
}

function poolOptions(service: string, dataFolder: string, settings: MailSettings): SMTPPoolOptions {
  const timeout = settings.TimeoutSeconds * SECOND
  return {
    host: settings.Host,
    port: settings.Port,
    maxConnections: settings.Connections,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    ...securities[settings.Security],
    ...trustOf(service, dataFolder, settings),
    ...accountOf(settings),
  }
}

const securities = {
  None: { secure: false, ignoreTLS: true },
  StartTls: { secure: false, requireTLS: true },
  Tls: { secure: true },
} as const

function trustOf(service: string, dataFolder: string, { TrustedCertificatesFile: file }: MailSettings) {
  if (file === undefined) return {}
  try {
    return { tls: { ca: readFileSync(resolve(dataFolder, file), 'utf8') } }
  } catch (error) {
    const setting = `${service} Email:TrustedCertificatesFile`
    throw new StartupProblem(`${setting}: the file ${file} cannot be read.`, { setting, cause: error })
  }
}

const accountOf = ({ Username: user, Password: pass }: MailSettings) =>
  user !== undefined && pass !== undefined ? { auth: { user, pass } } : {}

function messageOf(id: string, { to, subject, text, html }: MailContent, settings: MailSettings, now: Date) {
  // A rule of the settings requires it while mail is on.
  const from = settings.From!
  return {
    // The same in every attempt, so that mailboxes that check it show a mail sent twice only once.
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    date: now,
    from: { name: settings.FromName, address: from },
    // A line break would end the header.
    to: { name: asOneLine(to.name ?? ''), address: to.address },
    ...(settings.ReplyTo !== undefined && { replyTo: settings.ReplyTo }),
    subject: asOneLine(subject),
    text: plainLines(text),
    html: plainLines(html),
    envelope: { from, to: to.address },
    // RFC 3834: automatic replies are not sent to automatic mails.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A mail contains foreign names: none of them may make the library read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
