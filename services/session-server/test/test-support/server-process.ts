// The service in a separate process, to be killed. Run by `startServerProcess`; the plan comes as a message.
import type { KernelSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { sessionServer } from '../../src/index.ts'
import type { ServerPlan } from './killed-server.ts'

process.once('message', async ({ service, settings, dataFolder, now }: ServerPlan) => {
  const running = await startService({ ...sessionServer, name: service }, settings as KernelSettings, {
    clock: () => new Date(now),
    version: '1.0.0-test',
    dataFolder,
    logFile: `${dataFolder}/service.log`,
  })
  const urlOf = (surface: string) => running.surfaces.find(({ definition: { name } }) => name === surface)!.baseUrl
  process.send!({ baseUrl: urlOf('session-server'), consoleUrl: urlOf('session-server-console') })
  process.once('message', async () => {
    await running.stop()
    process.exit(0)
  })
})

process.send!({ loaded: true })
