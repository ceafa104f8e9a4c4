/** Paths of the bench service that need no key. */
export const openPaths = {
  health: '/api/health',
  ready: '/api/ready',
  openApi: '/openapi/v1.json',
  reference: '/reference',
} as const
