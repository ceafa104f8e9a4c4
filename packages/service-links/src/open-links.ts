import { resolve } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { type UpstreamContext, watchUpstream } from '@chancela/service-kernel/health'
import type { ServiceContext } from '@chancela/service-kernel/service'
import { readAuthorities } from '@chancela/service-kernel/tls'
import type { Static } from 'typebox'
import { CloudHub } from './cloud-hub.ts'
import { SessionServer } from './session-server.ts'
import type { cloudHubSettings, sessionServerSettings } from './settings.ts'

type LinkContext = Pick<ServiceContext, 'closing' | 'dataFolder' | 'service'> & UpstreamContext
type LinkSettings = Static<typeof cloudHubSettings> | Static<typeof sessionServerSettings>

/** The cloud hub; nothing where it is switched off. */
export function openCloudHub(context: LinkContext, settings: Static<typeof cloudHubSettings>): CloudHub | undefined {
  if (settings.ApiKey === '') return undefined
  const hub = new CloudHub(optionsIn(context, 'CloudHub', settings))
  context.closing.add('the cloud hub', () => hub.close())
  watchUpstream(context, 'cloud-hub', (signal) => hub.reach(signal))
  return hub
}

/** The session server; nothing where it is switched off. */
export function openSessionServer(
  context: LinkContext,
  settings: Static<typeof sessionServerSettings>,
): SessionServer | undefined {
  if (settings.ApiKey === '') return undefined
  const server = new SessionServer(optionsIn(context, 'SessionServer', settings))
  context.closing.add('the session server', () => server.close())
  watchUpstream(context, 'session-server', (signal) => server.reach(signal))
  return server
}

/** The section is the same in every service. */
const optionsIn = (
  { service, dataFolder }: Pick<LinkContext, 'service' | 'dataFolder'>,
  section: 'CloudHub' | 'SessionServer',
  { Endpoint, ApiKey, CaFile, TimeoutSeconds }: LinkSettings,
) => ({
  endpoint: Endpoint,
  apiKey: ApiKey,
  timeoutMs: TimeoutSeconds * SECOND,
  ...(CaFile !== undefined && { ca: readAuthorities(resolve(dataFolder, CaFile), `${service} ${section}:CaFile`) }),
})
