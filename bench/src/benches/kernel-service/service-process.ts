// The bench service in a process of its own, started as the command line starts every service of the suite.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { sendToParent } from '../../harness/program-side.ts'
import type { Listening } from '../http/contract.ts'
import { benchService } from './bench-service.ts'

const [scratchFolder = ''] = process.argv.slice(2)
const dataFolder = await mkdtemp(join(scratchFolder, 'service-'))

let apiKey = ''
const service = benchService((key) => {
  apiKey = key
})
const { settings } = loadSettings({ schemas: { bench: service.settings }, environment: {} })
const { surfaces } = await startService(service, settings.bench as KernelSettings, {
  clock: systemClock,
  version: '1.0.0',
  dataFolder,
  logFile: join(dataFolder, 'bench.log'),
})
const port = Number(new URL(surfaces[0]!.baseUrl).port)
sendToParent({ port, headers: { 'x-api-key': apiKey } } satisfies Listening)
