import type { Provider } from './provider.ts'

/** A provider as clients see it. */
export const serviceInfo = ({ serviceName, company, endpoint, badgeUrl }: Provider) => ({
  serviceName,
  provider: company,
  endpoint,
  badgeUrl,
})
