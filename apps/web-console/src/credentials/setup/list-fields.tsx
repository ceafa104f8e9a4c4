import { Button } from '@mantine/core'
import { Plus, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { valueAt } from '../parts/draft.ts'
import classes from '../parts/parts.module.css'
import { Section } from '../parts/section.tsx'
import type { DraftForm } from '../parts/use-draft-form.ts'
import { useFieldWords } from '../parts/use-field-words.ts'

export interface ListFieldsProps {
  form: DraftForm
  path: string
  /** What the button says that adds one. */
  add: string
  /** One that was just added. */
  fresh: unknown
  /** The fields of one, at its path. */
  children: (path: string) => ReactNode
}

/** Fields that repeat: each can be removed, and another added. */
export function ListFields({ form, path, add, fresh, children }: ListFieldsProps) {
  const { t } = useTranslation('credentials-setup')
  const { name } = useFieldWords()
  const items = (valueAt(form.draft, path) ?? []) as readonly unknown[]
  return (
    <Section title={name(path)} problem={form.problemAt(path)}>
      {items.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what is typed is kept in the draft, by its place
        <Fragment key={at}>
          {children(`${path}.${at}`)}
          <Button
            variant="subtle"
            size="xs"
            className={classes.whole!}
            aria-label={t('removeAt', { what: name(path), at: at + 1 })}
            leftSection={<Trash2 size={14} aria-hidden="true" />}
            onClick={() => form.set(path, items.toSpliced(at, 1))}
          >
            {t('removeAt', { what: name(path), at: at + 1 })}
          </Button>
        </Fragment>
      ))}
      <Button
        variant="default"
        size="xs"
        className={classes.whole!}
        leftSection={<Plus size={14} aria-hidden="true" />}
        onClick={() => form.set(path, [...items, fresh])}
      >
        {add}
      </Button>
    </Section>
  )
}
