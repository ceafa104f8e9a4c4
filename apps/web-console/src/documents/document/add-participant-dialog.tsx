import { NativeSelect, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { editFlow } from '../api/documents.ts'
import { type ActionType, actionTypes, type DocumentView } from '../api/types.ts'
import { ActionFields } from '../new/action-fields.tsx'
import { asFlowAction, isComplete, newAction } from '../new/flow-draft.ts'

/** Adds a participant to the flow of a pending document. */
export function AddParticipantDialog({ document, onClose }: { document: DocumentView; onClose: () => void }) {
  const { t } = useTranslation(['documents-document', 'documents'])
  const { language } = useLanguage()
  const noticeLanguage = language === 'pt-BR' ? 'Pt' : 'En'
  const [action, setAction] = useState(() => newAction('Signer', 'added', noticeLanguage))
  const current = Math.min(...document.flowActions.filter(({ status }) => status === 'Pending').map(({ step }) => step))
  const last = Math.max(...document.flowActions.map(({ step }) => step))
  const [step, setStep] = useState(last)
  const { attempt } = useAction(
    () => editFlow(document.id, { addedFlowActions: [asFlowAction(action, step)] }),
    () => t('flow.added'),
  )
  return (
    <FormDialog
      title={t('flow.addTitle')}
      confirm={t('flow.add')}
      wide
      ready={isComplete([[action]])}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <NativeSelect
        label={t('flow.addType')}
        data={actionTypes.map((value) => ({ value, label: t(`documents:actionType.${value}`) }))}
        value={action.type}
        onChange={({ currentTarget }) =>
          setAction(newAction(currentTarget.value as ActionType, 'added', noticeLanguage))
        }
      />
      <NumberInput
        label={t('flow.addStep')}
        min={Number.isFinite(current) ? current : 1}
        max={last + 1}
        hideControls
        value={step}
        onChange={(value) => setStep(Number(value) || last)}
      />
      <ActionFields action={action} strict={false} onChange={setAction} />
    </FormDialog>
  )
}
