import { ArrowDown, ArrowUp, GripVertical, PenLine, UserRoundCheck, Users, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../shared/icon-button.tsx'
import type { ActionType } from '../api/types.ts'
import { ActionFields } from './action-fields.tsx'
import type { DraftAction } from './flow-draft.ts'
import classes from './new.module.css'
import type { CardDrag } from './use-card-drag.ts'

export const typeIcons: Readonly<Record<ActionType, typeof PenLine>> = {
  Signer: PenLine,
  Approver: UserRoundCheck,
  SignRule: Users,
  ApproverRule: Users,
}

const arrows: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 }

export interface ActionCardProps {
  action: DraftAction
  name: string
  strict: boolean
  drag: CardDrag
  onChange: (action: DraftAction) => void
  onNudge: (by: -1 | 1) => void
  onRemove: () => void
}

/** A participant as a card: dragged by its handle, moved with arrows, filled in. */
export function ActionCard({ action, name, strict, drag, onChange, onNudge, onRemove }: ActionCardProps) {
  const { t } = useTranslation(['documents-new', 'documents'])
  const Icon = typeIcons[action.type]

  function press(event: KeyboardEvent) {
    const by = arrows[event.key]
    if (by === undefined) return
    event.preventDefault()
    onNudge(by)
  }

  return (
    <li className={classes.card} data-dragged={drag.key === action.key || undefined}>
      <div className={classes.cardHead}>
        <button
          type="button"
          className={classes.grip}
          data-grip={action.key}
          aria-label={t('flow.move', { name })}
          onKeyDown={press}
          {...drag.handle(action.key)}
        >
          <GripVertical size={18} aria-hidden="true" />
        </button>
        <span className={classes.cardType}>
          <Icon size={16} aria-hidden="true" />
          {t(`documents:actionType.${action.type}`)}
        </span>
        <span className={classes.cardButtons}>
          <IconButton icon={ArrowUp} label={t('flow.up', { name })} onClick={() => onNudge(-1)} />
          <IconButton icon={ArrowDown} label={t('flow.down', { name })} onClick={() => onNudge(1)} />
          <IconButton icon={X} label={t('flow.remove', { name })} onClick={onRemove} />
        </span>
      </div>
      <ActionFields action={action} strict={strict} onChange={onChange} />
    </li>
  )
}
