const LOBES = 16
const CENTRE = 32
const OUTER = 27.5

/** The product's mark: a seal with a scalloped edge, a C inside, and the signature that leaves through it. */
export function Seal({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" fill="none" aria-hidden="true">
      <path d={scallopedEdge()} fill="var(--pine)" />
      <circle cx={CENTRE} cy={CENTRE} r="23" stroke="var(--surface)" strokeOpacity="0.45" strokeDasharray="1.2 1.8" />
      <path d="M43.5 23.5A14.5 14.5 0 1 0 43.5 40.5" stroke="var(--surface)" strokeWidth="4.6" strokeLinecap="round" />
      <path d={SIGNATURE} stroke="var(--surface)" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

const SIGNATURE =
  'M24.5 35.5c3.2-7.6 6.4-9.6 6.6-6.2.2 2.6-2.6 6.6-.6 6.8 2.2.2 3.4-5.4 5.4-5.2 1.9.2.2 4.2 2.4 4.4 2 .1 3.2-2.6 8.2-3.1'

/** Half circles side by side on the rim. */
function scallopedEdge(): string {
  const points = Array.from({ length: LOBES }, (_, lobe) => onRim((lobe * 2 * Math.PI) / LOBES))
  const radius = (OUTER * Math.sin(Math.PI / LOBES)).toFixed(2)
  const arcs = [...points.slice(1), points[0]].map((point) => `A${radius} ${radius} 0 0 1 ${point}`)
  return `M${points[0]}${arcs.join('')}Z`
}

const onRim = (angle: number) =>
  `${(CENTRE + OUTER * Math.cos(angle)).toFixed(2)} ${(CENTRE + OUTER * Math.sin(angle)).toFixed(2)}`
