const PETALS = 20
const ANGLES = Array.from({ length: PETALS }, (_, petal) => (petal * 180) / PETALS)

/** The guilloche behind the title, as on a deed or a banknote: crossing ellipses, nothing to read. */
export function Rosette() {
  return (
    <svg viewBox="-200 -200 400 400" fill="none" stroke="currentColor" aria-hidden="true">
      {ANGLES.map((angle) => (
        <g key={angle} transform={`rotate(${angle})`}>
          <ellipse rx="190" ry="84" />
          <ellipse rx="132" ry="40" />
        </g>
      ))}
    </svg>
  )
}
