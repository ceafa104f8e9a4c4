import { createHash } from 'node:crypto'
import { escapeHtml } from '@chancela/service-kernel/http'

/** Number of distinguishable hues. */
const HUES = 24

/** A plain logo for a provider without one: its first letter, in a colour derived from its name. */
export function monogram(serviceName: string): string {
  const [first = '?'] = serviceName.trim().toUpperCase()
  const hue = (createHash('sha256').update(serviceName).digest()[0]! % HUES) * (360 / HUES)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${escapeHtml(serviceName)}">
<rect width="64" height="64" rx="12" fill="hsl(${hue} 55% 35%)"/>
<text x="32" y="44" font-family="system-ui, sans-serif" font-size="34" font-weight="600" text-anchor="middle" fill="#fff">${escapeHtml(first)}</text>
</svg>
`
}
