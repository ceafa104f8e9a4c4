// The session server in a process of its own, started as the command line starts every service of the suite.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { sessionServer } from '@chancela/session-server'
import { tellParent } from '../../harness/program-side.ts'
import type { SessionsAddresses, SessionsServiceOrder } from './sessions-service.ts'

const [orderFile = ''] = process.argv.slice(2)
const { name, dataFolder, settings } = JSON.parse(readFileSync(orderFile, 'utf8')) as SessionsServiceOrder

// On PostgreSQL the name is the schema, so that each service has one of its own.
const service = { ...sessionServer, name }
const loaded = loadSettings({ schemas: { [name]: service.settings }, environment: {}, defaults: { [name]: settings } })
const { surfaces } = await startService(service, loaded.settings[name] as KernelSettings, {
  clock: systemClock,
  version: '1.0.0',
  dataFolder,
  logFile: join(dataFolder, 'service.log'),
})
const addressOf = (section: string) => surfaces.find(({ definition }) => definition.section === section)!.baseUrl
tellParent({ baseUrl: addressOf('Http'), consoleUrl: addressOf('Console') } satisfies SessionsAddresses)
