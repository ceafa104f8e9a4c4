import { Button } from '@mantine/core'
import { Fragment, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnouncer } from '../../shared/feedback/announcer.tsx'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Panel } from '../../shared/parts/panel.tsx'
import { type ActionType, actionTypes } from '../api/types.ts'
import { ActionCard, typeIcons } from './action-card.tsx'
import {
  type DraftAction,
  type DraftFlow,
  moveTo,
  newAction,
  nudge,
  stepOf,
  withAction,
  withChange,
  without,
} from './flow-draft.ts'
import classes from './new.module.css'
import { newKey } from './new-key.ts'
import { SavedFlows } from './saved-flows.tsx'
import { type CardDrag, dropName, useCardDrag } from './use-card-drag.ts'

export interface FlowPanelProps {
  flow: DraftFlow
  onChange: (flow: DraftFlow) => void
  /** Whether missing fields are reported, too. */
  strict: boolean
}

/** Who takes part, and in which order. */
export function FlowPanel({ flow, onChange, strict }: FlowPanelProps) {
  const { t } = useTranslation(['documents-new', 'documents'])
  const announce = useAnnouncer()
  const { language } = useLanguage()
  const nameOf = useActionName()

  function move(key: string, next: DraftFlow) {
    const action = flow.flat().find((one) => one.key === key)!
    onChange(next)
    announce(t('flow.movedTo', { name: nameOf(action), number: stepOf(next, key), steps: next.length }))
  }

  const panel = useRef<HTMLOListElement>(null)
  const keepFocus = useKeptFocus(panel, flow)
  const drag = useCardDrag((key, target) => move(key, moveTo(flow, key, target)))
  const add = (type: ActionType) =>
    onChange(withAction(flow, newAction(type, newKey(), language === 'pt-BR' ? 'Pt' : 'En')))
  return (
    <Panel title={t('flow.title')} lead={t('flow.lead')} actions={<SavedFlows flow={flow} onLoad={onChange} />}>
      {flow.length === 0 && <p className={classes.quiet}>{t('flow.empty')}</p>}
      <ol ref={panel} className={classes.steps}>
        {flow.map((step, index) => (
          <Fragment key={step.map(({ key }) => key).join()}>
            <Gap before={index} drag={drag} />
            <li
              className={classes.step}
              data-drop={dropName({ into: index })}
              data-over={drag.over === dropName({ into: index }) || undefined}
            >
              <h3 className={classes.stepTitle}>{t('flow.step', { number: index + 1 })}</h3>
              <ul className={classes.cards}>
                {step.map((action) => (
                  <ActionCard
                    key={action.key}
                    action={action}
                    name={nameOf(action)}
                    strict={strict}
                    drag={drag}
                    onChange={(changed) => onChange(withChange(flow, changed))}
                    onNudge={(by) => {
                      keepFocus(action.key)
                      move(action.key, nudge(flow, action.key, by))
                    }}
                    onRemove={() => onChange(without(flow, action.key))}
                  />
                ))}
              </ul>
            </li>
          </Fragment>
        ))}
        <Gap before={flow.length} drag={drag} />
      </ol>
      <div className={classes.adders}>
        {actionTypes.map((type) => {
          const Icon = typeIcons[type]
          return (
            <Button
              key={type}
              variant="default"
              size="sm"
              leftSection={<Icon size={16} aria-hidden="true" />}
              onClick={() => add(type)}
            >
              {t('flow.add', { type: t(`documents:actionType.${type}`).toLowerCase() })}
            </Button>
          )
        })}
      </div>
    </Panel>
  )
}

/** A card that changes its step is a new element, so its handle must get the focus again. */
function useKeptFocus(panel: React.RefObject<HTMLElement | null>, flow: DraftFlow): (key: string) => void {
  const wanted = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements are new after every change of the flow
  useEffect(() => {
    if (wanted.current) panel.current?.querySelector<HTMLElement>(`[data-grip="${wanted.current}"]`)?.focus()
    wanted.current = undefined
  }, [panel, flow])
  return (key) => {
    wanted.current = key
  }
}

/** Drop target that makes a dragged card a step of its own. */
function Gap({ before, drag }: { before: number; drag: CardDrag }) {
  const { t } = useTranslation('documents-new')
  const name = dropName({ before })
  if (drag.key === undefined) return null
  return (
    <li className={classes.gap} data-drop={name} data-over={drag.over === name || undefined}>
      {t('flow.newStep')}
    </li>
  )
}

/** The display name of an action. */
export function useActionName(): (action: DraftAction) => string {
  const { t } = useTranslation(['documents-new', 'documents'])
  return ({ type, people, ruleName }) => {
    const names = people.map(({ name }) => name.trim()).filter((name) => name !== '')
    return ruleName.trim() || names.join(', ') || t('flow.unnamed', { type: t(`documents:actionType.${type}`) })
  }
}
