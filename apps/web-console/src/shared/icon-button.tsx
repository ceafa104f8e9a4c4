import { ActionIcon } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import classes from './icon-button.module.css'

export interface IconButtonProps {
  icon: LucideIcon
  /** What a press does, for screen readers. */
  label: string
  onClick: () => void
  /** `good` and `bad` show the result of a press for a moment; default `quiet`. */
  tone?: 'quiet' | 'good' | 'bad'
}

/** A button that shows only an icon, and has a full sentence as its accessible name. */
export function IconButton({ icon: Icon, label, onClick, tone = 'quiet' }: IconButtonProps) {
  return (
    <ActionIcon className={classes.button} variant="subtle" data-tone={tone} aria-label={label} onClick={onClick}>
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  )
}
