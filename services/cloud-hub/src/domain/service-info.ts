import type { Provider } from '../upstream/provider.ts'

/** A provider as clients read it. */
export const serviceInfo = ({ serviceName, company, endpoint, badgeUrl }: Provider) => ({
  serviceName,
  provider: company,
  endpoint,
  badgeUrl,
})
