/** A location of the service, which is relative to where the service stands and not to this page. */
export const localAddress = (relative: string): string => `/${relative.replace(/^\//, '')}`
