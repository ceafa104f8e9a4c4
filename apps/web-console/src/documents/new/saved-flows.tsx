import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../shared/icon-button.tsx'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { deleteFlow, flowsQuery, readFlow, saveFlow } from '../api/flows.ts'
import { useRights } from '../parts/rights.ts'
import { asFlowActions, type DraftFlow, draftOf, isComplete } from './flow-draft.ts'
import classes from './new.module.css'
import { newKey } from './new-key.ts'

/** Saved flows: load one, or save the current one. */
export function SavedFlows({ flow, onLoad }: { flow: DraftFlow; onLoad: (flow: DraftFlow) => void }) {
  const { t } = useTranslation('documents-new')
  const { data: flows = [] } = useQuery(flowsQuery)
  const { may, mayWith } = useRights()
  const [chosen, setChosen] = useState('')
  const [saving, setSaving] = useState(false)
  const load = useAction(readFlow, ({ name }) => t('flow.loaded', { name }))
  const found = flows.find(({ id }) => id === chosen)
  const remove = useAction(deleteFlow, () => t('flow.deleted'))

  async function choose(id: string) {
    setChosen(id)
    const loaded = id === '' ? undefined : await load.run(id)
    if (loaded) onLoad(draftOf(loaded.flowActions, newKey))
  }

  return (
    <div className={classes.saved}>
      {flows.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label={t('flow.load')}
          data={[{ value: '', label: t('flow.load') }, ...flows.map(({ id, name }) => ({ value: id, label: name }))]}
          value={chosen}
          onChange={({ currentTarget }) => void choose(currentTarget.value)}
        />
      )}
      {found && mayWith('flows.change', found.createdBy) && (
        <IconButton
          icon={Trash2}
          label={t('flow.delete')}
          onClick={() => void remove.run(chosen).then(() => setChosen(''))}
        />
      )}
      {may('flows.create') && (
        <Button
          variant="default"
          size="xs"
          disabled={!isComplete(flow)}
          leftSection={<Save size={14} aria-hidden="true" />}
          onClick={() => setSaving(true)}
        >
          {t('flow.save')}
        </Button>
      )}
      {saving && <SaveDialog flow={flow} onClose={() => setSaving(false)} />}
    </div>
  )
}

function SaveDialog({ flow, onClose }: { flow: DraftFlow; onClose: () => void }) {
  const { t } = useTranslation('documents-new')
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const { attempt } = useAction(
    async () => {
      // Places of marks belong to the files of this document.
      const flowActions = asFlowActions(flow).map(({ prePositionedMarks: _, ...action }) => action)
      const saved = await saveFlow({ name: name.trim(), flowActions })
      await queries.invalidateQueries(flowsQuery)
      return saved
    },
    (saved) => t('flow.savedAs', { name: saved.name }),
  )
  return (
    <FormDialog
      title={t('flow.save')}
      confirm={t('flow.save')}
      ready={name.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('flow.saveName')}
        maxLength={200}
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}
