import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './signing.module.css'

interface ButtonProps {
  /** `main` signs or goes on, `plain` goes back. */
  look?: 'main' | 'plain'
  type?: 'button' | 'submit'
  icon?: LucideIcon
  busy?: boolean
  disabled?: boolean
  onClick?: () => void
  children: ReactNode
}

export function Button({ look = 'main', type = 'button', icon: Icon, busy = false, ...rest }: ButtonProps) {
  const { disabled = false, onClick, children } = rest
  return (
    <button type={type} className={classes[look]} disabled={busy || disabled} aria-busy={busy} onClick={onClick}>
      {busy ? (
        <LoaderCircle size={16} aria-hidden="true" className={classes.turning} />
      ) : (
        Icon && <Icon size={16} aria-hidden="true" />
      )}
      {children}
    </button>
  )
}
