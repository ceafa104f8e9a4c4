/** What the bench service answers to anybody. */
export const openPaths = {
  health: '/api/health',
  ready: '/api/ready',
  openApi: '/openapi/v1.json',
  reference: '/reference',
} as const
