import { randomBytes } from 'node:crypto'
import { createLogger } from '@chancela/service-kernel/http'
import { createMetrics, defineMetrics } from '@chancela/service-kernel/metrics'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { testClock } from '@chancela/testkit/clock'
import { type SmtpServerOptions, startSmtpServer } from '@chancela/testkit/mail'
import type { TestStore } from '@chancela/testkit/stores'
import { onTestFinished } from 'vitest'
import { type JobTables, jobMigrations } from '../../queue/index.ts'
import {
  createMailer,
  type Mail,
  type MailerOptions,
  type MailSettings,
  type MailTables,
  mailMetricTable,
  mailMigrations,
} from '../index.ts'

type Tables = MailTables & JobTables
type Open = <T>(migrations: { jobs: typeof jobMigrations; mail: typeof mailMigrations }) => Promise<TestStore<T>>

/** The master key of a test world, also given to mailers in other processes. */
const newMasterKey = () => randomBytes(32).toString('base64')

/** All settings but the server's address at their defaults. */
export const testMailSettings = (port: number): MailSettings => ({
  Enabled: true,
  Host: 'localhost',
  Port: port,
  Security: 'None',
  From: 'assinaturas@empresa.example',
  FromName: 'Empresa Exemplo',
  MaxAttempts: 10,
  Connections: 3,
  TimeoutSeconds: 30,
})

export const CODE = '481516'

const sample: Mail = {
  kind: 'authentication-code',
  to: { address: 'maria@example.com', name: 'Maria da Conceição' },
  subject: 'Seu código de autenticação',
  text: `Olá, Maria. O código é ${CODE}.`,
  html: `<p>Olá, Maria. O código é <b>${CODE}</b>.</p>`,
}

/** A store with the outbox, a server, and mailers that the end of the test stops. */
export async function mailWorld(open: Open, options: SmtpServerOptions = {}) {
  const store = await open<Tables>({ jobs: jobMigrations, mail: mailMigrations })
  const smtp = await startSmtpServer(options)
  onTestFinished(() => smtp.stop())
  const clock = testClock()
  const masterKey = newMasterKey()
  const secrets = openSecrets({ service: 'test', masterKeyFile: '', masterKey })
  const lines: string[] = []
  const start = (settings: Partial<MailSettings> = {}, leaseSeconds = 60, isMoot?: MailerOptions<Tables>['isMoot']) => {
    const metrics = createMetrics({ service: 'test', version: '0' })
    const mailer = createMailer<Tables>({
      store,
      clock,
      secrets,
      logger: createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } }),
      dataFolder: '/',
      leaseSeconds,
      settings: { ...testMailSettings(smtp.port), ...settings },
      metrics: defineMetrics(metrics.registry, mailMetricTable),
      ...(isMoot && { isMoot }),
    })
    mailer.start()
    onTestFinished(() => mailer.stop({ drainSeconds: 0 }))
    const enqueue = (...mails: Partial<Mail>[]) =>
      store.transaction((tx) =>
        mailer.enqueue(
          tx,
          mails.map((mail) => ({ ...sample, ...mail })),
          clock(),
        ),
      )
    return { mailer, enqueue, metricLines: () => metricLinesOf(metrics.text) }
  }
  const jobs = () => store.db.selectFrom('durable_job').selectAll().orderBy('id').execute()
  const contents = () => store.db.selectFrom('mail').selectAll().execute()
  return { store, smtp, clock, secrets, masterKey, start, jobs, contents, log: () => lines.join('') }
}

/** The lines of the mails' metrics that are not 0. */
async function metricLinesOf(text: () => Promise<string>): Promise<string[]> {
  return (await text()).split('\n').filter((line) => line.startsWith('mail_') && !line.endsWith(' 0'))
}
