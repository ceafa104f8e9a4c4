import type { Call } from '@chancela/service-kernel/http'

/** Where the caller reached the service: links of its answers begin there, unless a public address is set. */
export const linkBase = ({ protocol, host }: Call['request']): string => `${protocol}://${host}`
