/** A local path to redirect to after the login; anything else, such as another site's address, becomes `/`. */
export const localPath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) && !path.startsWith('/login') ? path : '/'
