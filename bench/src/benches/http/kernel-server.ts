// The contestant: the same route through the kernel's app builder, with everything a service of the suite has in front
// of its handlers: key check, correlation id, security headers, error dialect, and an access log written to a file.
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createApp, createLogger, fixedApiKeys, problemDetails, serve } from '@chancela/service-kernel/http'
import { sendToParent } from '../../harness/program-side.ts'
import { acceptJobRoute, errors, frameworkErrors } from '../kernel-service/job-route.ts'
import { acceptJob, type Listening } from './contract.ts'

const [folder = ''] = process.argv.slice(2)
const key = randomBytes(32).toString('hex')

const app = await createApp({
  service: { name: 'bench', title: 'Bench', version: '1.0.0' },
  dialect: problemDetails,
  vocabulary: errors,
  frameworkErrors,
  environment: 'production',
  logger: createLogger({ service: 'bench', file: join(folder, 'access.log') }),
  keys: { ring: fixedApiKeys({ bench: key }) },
})
serve(app, acceptJobRoute, ({ body }) => acceptJob(body))

await app.listen({ port: 0, host: '127.0.0.1' })
sendToParent({
  port: (app.server.address() as AddressInfo).port,
  headers: { 'x-api-key': key },
} satisfies Listening)
