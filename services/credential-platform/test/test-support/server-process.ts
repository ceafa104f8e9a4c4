// The service in a separate process, to be killed. Run by `placeOf`; the plan comes as a message.
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { credentialPlatform } from '../../src/index.ts'
import type { ServerPlan } from './processes.ts'

process.once('message', async ({ name, settings: given, dataFolder, ahead }: ServerPlan) => {
  const schemas = { [name]: credentialPlatform.settings }
  const { settings } = loadSettings({ schemas, environment: {}, defaults: { [name]: given } })
  const running = await startService({ ...credentialPlatform, name }, settings[name] as KernelSettings, {
    clock: () => new Date(Date.now() + ahead),
    version: '1.0.0-test',
    dataFolder,
    logFile: `${dataFolder}/${process.pid}.log`,
  })
  process.send!({ baseUrl: running.surfaces[0]!.baseUrl })
})

process.send!({ loaded: true })
