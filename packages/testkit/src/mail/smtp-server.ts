import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { type ReceivedMail, readMail } from './received-mail.ts'

/** The steps at which the server can fail. */
const steps = ['connection', 'login', 'sender', 'recipient', 'message'] as const

type SmtpStep = (typeof steps)[number]

/** How the server behaves from now on. */
export type SmtpBehaviour =
  | { readonly kind: 'accepts' }
  /** With 4xx temporarily, with 5xx permanently. A message is read before it is refused. */
  | { readonly kind: 'refuses'; readonly at: SmtpStep; readonly code: number; readonly text?: string }
  /** Never answers, and keeps the connection open. A message it is silent about is still in the inbox. */
  | { readonly kind: 'is-silent'; readonly at: SmtpStep }

export interface SmtpServerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default: any free one. */
  readonly port?: number
  /** Mails kept; older ones are dropped. Default: all. */
  readonly keeps?: number
  /** Names and passwords; without any, everybody may send. */
  readonly accounts?: Readonly<Record<string, string>>
  /** PEM texts; with them the server offers STARTTLS, or begins with TLS. Default: neither. */
  readonly tls?: { readonly key: string; readonly certificate: string; readonly from: 'STARTTLS' | 'start' }
}

export interface RunningSmtpServer {
  readonly port: number
  /** The received mails, the oldest first. */
  readonly inbox: readonly ReceivedMail[]
  behave(behaviour: SmtpBehaviour): void
  /** How often clients have reached a step. */
  seen(step: SmtpStep): number
  stop(): Promise<void>
}

/** How long clients have to finish when the server stops, in milliseconds. */
const CLOSE_MS = 100

const LARGEST_BYTES = 26_214_400

/** Starts a server that stores the mails it receives. */
export async function startSmtpServer(options: SmtpServerOptions = {}): Promise<RunningSmtpServer> {
  const inbox: ReceivedMail[] = []
  const seen = Object.fromEntries(steps.map((step) => [step, 0])) as Record<SmtpStep, number>
  let behaviour: SmtpBehaviour = { kind: 'accepts' }
  let received = 0

  /** Answers a step according to the current behaviour. */
  const come = (step: SmtpStep, answer: (error?: Error) => void) => {
    seen[step] += 1
    if (behaviour.kind === 'accepts' || behaviour.at !== step) answer()
    else if (behaviour.kind === 'refuses') answer(refusal(behaviour))
  }
  const receive = async (
    stream: NodeJS.ReadableStream,
    session: SMTPServerSession,
    answer: (error?: Error) => void,
  ) => {
    const bytes = await buffer(stream)
    const isRefused = behaviour.kind === 'refuses' && behaviour.at === 'message'
    if (!isRefused) keep(inbox, await readMail(bytes, { number: ++received, ...arrivalOf(session) }), options.keeps)
    come('message', answer)
  }

  const server = new SMTPServer({
    ...settingsOf(options),
    onConnect: (_, answer) => come('connection', answer),
    onAuth: ({ username = '', password = '' }, _, answer) => {
      const isKnown = options.accounts?.[username] === password
      come('login', (error) => answer(error ?? (isKnown ? null : refusal({ code: 535 })), { user: username }))
    },
    onMailFrom: (_, __, answer) => come('sender', answer),
    onRcptTo: (_, __, answer) => come('recipient', answer),
    onData: (stream, session, answer) => void receive(stream, session, answer).catch(answer),
  })
  // Clients that disconnect, as after a timeout, are no errors of the server.
  server.on('error', () => {})
  const port = await listen(server, options)
  return {
    port,
    inbox,
    behave: (next) => {
      behaviour = next
    },
    seen: (step) => seen[step],
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function settingsOf({ accounts, tls }: SmtpServerOptions): SMTPServerOptions {
  return {
    logger: false,
    size: LARGEST_BYTES,
    closeTimeout: CLOSE_MS,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    authOptional: accounts === undefined,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(accounts ? [] : ['AUTH'])],
    ...(tls && { key: tls.key, cert: tls.certificate, secure: tls.from === 'start' }),
  }
}

async function listen(server: SMTPServer, { port = 0, host = '127.0.0.1' }: SmtpServerOptions): Promise<number> {
  const listening = server.listen(port, host)
  await once(listening, 'listening')
  return (listening.address() as AddressInfo).port
}

const refusal = ({ code, text = 'No.' }: { readonly code: number; readonly text?: string }): Error =>
  Object.assign(new Error(text), { responseCode: code })

const arrivalOf = ({ secure, envelope: { mailFrom, rcptTo } }: SMTPServerSession) => ({
  envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
  isEncrypted: secure,
})

function keep(inbox: ReceivedMail[], mail: ReceivedMail, keeps = Number.POSITIVE_INFINITY): void {
  inbox.push(mail)
  if (inbox.length > keeps) inbox.shift()
}
