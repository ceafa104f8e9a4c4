import { SECOND } from '@chancela/service-kernel/clock'
import type { ServiceContext } from '@chancela/service-kernel/service'
import type { Static } from 'typebox'
import { CloudHub } from './cloud-hub.ts'
import { SessionServer } from './session-server.ts'
import type { cloudHubSettings, sessionServerSettings } from './settings.ts'

type Closing = Pick<ServiceContext, 'closing'>

/** The cloud hub; nothing where it is switched off. */
export function openCloudHub({ closing }: Closing, settings: Static<typeof cloudHubSettings>): CloudHub | undefined {
  if (settings.ApiKey === '') return undefined
  const hub = new CloudHub(optionsIn(settings))
  closing.add('the cloud hub', () => hub.close())
  return hub
}

/** The session server; nothing where it is switched off. */
export function openSessionServer(
  { closing }: Closing,
  settings: Static<typeof sessionServerSettings>,
): SessionServer | undefined {
  if (settings.ApiKey === '') return undefined
  const server = new SessionServer(optionsIn(settings))
  closing.add('the session server', () => server.close())
  return server
}

const optionsIn = ({ Endpoint, ApiKey, TimeoutSeconds }: Static<typeof sessionServerSettings>) => ({
  endpoint: Endpoint,
  apiKey: ApiKey,
  timeoutMs: TimeoutSeconds * SECOND,
})
