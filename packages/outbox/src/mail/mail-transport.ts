import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import type { MailContent } from './mail.ts'
import type { MailSettings } from './mail-settings.ts'
import { smtpFailure } from './smtp-failure.ts'

/** Hands mails to the SMTP server. */
export interface MailTransport {
  /** Resolves when the server has taken the mail; rejects with what may be logged, `MailRefused` when it never will. */
  send(id: string, content: MailContent, now: Date): Promise<void>
  /** Breaks off what is under way. */
  close(): Promise<void>
}

/** Connections are opened when the first mail is sent, and kept. */
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

/** The library is loaded with the first mail: services that send none need not wait for it at their start. */
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
  // A rule of the settings asks for it while mail is on.
  const from = settings.From!
  return {
    // The same in every attempt, so that a mail sent twice is shown once where the mailbox looks at it.
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    date: now,
    from: { name: settings.FromName, address: from },
    to: { name: oneLine(to.name ?? ''), address: to.address },
    ...(settings.ReplyTo !== undefined && { replyTo: settings.ReplyTo }),
    subject: oneLine(subject),
    text,
    html,
    envelope: { from, to: to.address },
    // RFC 3834: holiday notes and the like do not answer to what a program sent.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A mail is text of ours and names of others: nothing in it may make the library read a file or a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A header ends with its line. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
