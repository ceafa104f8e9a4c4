/** A location of the service, which is relative to the service's root and not to this page. */
export const localAddress = (relative: string): string => `/${relative.replace(/^\//, '')}`
