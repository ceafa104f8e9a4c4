/** A path of this site to go on to after the login; anything else, as another site's address, becomes `/`. */
export const localPath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) && !path.startsWith('/login') ? path : '/'
