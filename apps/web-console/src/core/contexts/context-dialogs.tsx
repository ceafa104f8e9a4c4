import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeContext, createContext, deleteContext } from '../api/management.ts'
import type { SecurityContext } from '../api/types.ts'
import classes from '../parts/parts.module.css'
import { certificatesIn, pemOf } from './pem.ts'

const draftOf = (context: SecurityContext | undefined) => ({
  name: context?.name ?? '',
  roots: pemOf(context?.trustedRoots.map(({ content }) => content) ?? []),
  intermediates: pemOf(context?.intermediates.map(({ content }) => content) ?? []),
  revocation: context?.revocation ?? ('Required' as const),
  policies: (context?.acceptedPolicies ?? []).join('\n'),
})

const linesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '')

interface ContextDialogProps {
  subscriptionId: string
  context?: SecurityContext
  onClose: () => void
}

/** Makes a context, or changes one. */
export function ContextDialog({ subscriptionId, context, onClose }: ContextDialogProps) {
  const { t } = useTranslation(['core-contexts', 'core'])
  const [draft, setDraft] = useState(draftOf(context))
  const found = certificatesIn(draft.roots)
  const { attempt } = useAction(
    () => {
      const body = {
        name: draft.name.trim(),
        trustedRoots: found,
        intermediates: certificatesIn(draft.intermediates),
        revocation: draft.revocation,
        acceptedPolicies: linesIn(draft.policies),
      }
      return context ? changeContext(subscriptionId, context.id, body) : createContext(subscriptionId, body)
    },
    ({ name }) => t(context ? 'changed' : 'created', { name }),
  )
  const field = (name: 'name' | 'roots' | 'intermediates' | 'policies') => ({
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: currentTarget.value }),
  })
  return (
    <FormDialog
      title={context ? t('changeOf', { name: context.name }) : t('add')}
      confirm={t(context ? 'core:save' : 'core:create')}
      wide
      ready={draft.name.trim() !== '' && found.length > 0}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput label={t('core:name')} maxLength={100} required autoFocus {...field('name')} />
      <Textarea
        label={t('roots')}
        description={t('rootsHint', { count: found.length })}
        required
        rows={6}
        spellCheck={false}
        className={classes.pem}
        {...field('roots')}
      />
      <Textarea
        label={t('intermediatesField')}
        description={t('intermediatesHint')}
        rows={3}
        spellCheck={false}
        className={classes.pem}
        {...field('intermediates')}
      />
      <NativeSelect
        label={t('revocationField')}
        value={draft.revocation}
        onChange={({ currentTarget }) =>
          setDraft({ ...draft, revocation: currentTarget.value as SecurityContext['revocation'] })
        }
        data={(['Required', 'IgnoreUnknown'] as const).map((value) => ({ value, label: t(`revocation.${value}`) }))}
      />
      <Textarea
        label={t('policies')}
        description={t('policiesHint')}
        rows={2}
        spellCheck={false}
        className={classes.pem}
        {...field('policies')}
      />
    </FormDialog>
  )
}

export function DeleteDialog({ subscriptionId, context, onClose }: Required<ContextDialogProps>) {
  const { t } = useTranslation(['core-contexts', 'core'])
  const { id, name } = context
  const { attempt } = useAction(
    () => deleteContext(subscriptionId, id),
    () => t('deleted', { name }),
  )
  return (
    <ConfirmDialog
      title={t('deleteOf', { name })}
      confirm={t('core:delete')}
      danger
      onConfirm={() => attempt(undefined)}
      onClose={onClose}
    >
      {t('deleteText')}
    </ConfirmDialog>
  )
}
