import { ActionIcon } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import classes from './icon-button.module.css'

export interface IconButtonProps {
  icon: LucideIcon
  /** What a press does, for those who do not see the icon. */
  label: string
  onClick: () => void
  /** `good` and `bad` show for a moment what the press brought; default `quiet`. */
  tone?: 'quiet' | 'good' | 'bad'
}

/** A button that is only an icon to the eye, and always a sentence to a screen reader. */
export function IconButton({ icon: Icon, label, onClick, tone = 'quiet' }: IconButtonProps) {
  return (
    <ActionIcon className={classes.button} variant="subtle" data-tone={tone} aria-label={label} onClick={onClick}>
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  )
}
