import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { FilePlus2, ListChecks } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '../../shared/api/request.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { checkItem, type MadeResource, makeItem } from '../api/forms.ts'
import type { Draft } from '../parts/draft.ts'
import parts from '../parts/parts.module.css'
import { EditingProvider, useEditing } from './editing.tsx'
import classes from './editor.module.css'
import { EditorStore, useOf } from './editor-store.ts'
import { FieldsView } from './fields-view.tsx'
import { FormPanels } from './form-panels.tsx'
import type { LayoutForm, Variant } from './form-types.ts'
import { JsonView } from './json-view.tsx'
import { dropDraft } from './kept-drafts.ts'
import { FilledIn, MakingChoices } from './making-choices.tsx'
import { ProblemSummary } from './problem-summary.tsx'
import { chosenVariant, emptyDrafts, registrationVariant, requestBody, withVariant } from './request-body.ts'
import { TakeUnits } from './take-units.tsx'
import { useKeptDraft } from './use-kept-draft.ts'

export interface DocumentEditorProps {
  resource: MadeResource
  form: LayoutForm
  /** Of degrees: the form of their registration. */
  registration: LayoutForm | undefined
  start: Draft
  /** When the draft was kept, where it was. */
  savedAt: string | undefined
  draftKey: string
}

/** Makes a document from what is typed into its form. */
export function DocumentEditor({ start, savedAt, ...props }: DocumentEditorProps) {
  const [store] = useState(() => new EditorStore(start))
  const [began, setBegan] = useState(savedAt)
  useKeptDraft(store, props.draftKey)
  const hasCourse = useOf(store, () => Boolean(store.value('courseId')))

  function startAnew() {
    store.replace(emptyDrafts[props.resource])
    store.tell({})
    setBegan(undefined)
    void dropDraft(props.draftKey)
  }

  return (
    <EditingProvider store={store} filled={hasCourse ? BY_COURSE : NOTHING} Fields={FieldsView}>
      <DraftNote savedAt={began} onDrop={startAnew} />
      <EditorForm {...props} />
    </EditingProvider>
  )
}

const BY_COURSE = ['courseId']
const NOTHING: readonly string[] = []

function DraftNote({ savedAt, onDrop }: { savedAt: string | undefined; onDrop: () => void }) {
  const { t } = useTranslation('credentials-editor')
  const { dateAndMinute } = useFormats()
  return (
    <div className={classes.note}>
      {savedAt ? t('draft.kept', { when: dateAndMinute(savedAt) }) : t('draft.keeping')}
      <Button variant="subtle" size="xs" onClick={onDrop}>
        {t('draft.drop')}
      </Button>
    </div>
  )
}

/** The variants that are filled in: of the document, and of the registration of a degree. */
function useVariants(form: LayoutForm, registration: LayoutForm | undefined): readonly Variant[] {
  const { store } = useEditing()
  const chosen = useOf(store, ({ draft }) => chosenVariant(form.variants, draft))
  return registration ? [chosen, registrationVariant(registration.variants, chosen)] : [chosen]
}

type FormProps = Omit<DocumentEditorProps, 'start' | 'savedAt'>

function EditorForm({ resource, form, registration, draftKey }: FormProps) {
  const { t } = useTranslation('credentials-editor')
  const [view, setView] = useState<'form' | 'json'>('form')
  const variants = useVariants(form, registration)
  const { failure, check, make, busy } = useMaking(resource, variants, draftKey)
  return (
    // The browser's own validation messages may be in another language than the page.
    <form className={parts.column} noValidate onSubmit={(event) => void make(event)}>
      {failure !== undefined && <ProblemNote error={failure} />}
      <ProblemSummary variants={variants} />
      <MakingChoices resource={resource} />
      <FilledIn />
      {form.variants.length > 1 && <VariantSelect variants={form.variants} chosen={variants[0]!} />}
      <SegmentedControl
        className={parts.button!}
        aria-label={t('view.label')}
        value={view}
        onChange={setView}
        data={[
          { value: 'form', label: t('view.form') },
          { value: 'json', label: t('view.json') },
        ]}
      />
      {view === 'json' ? (
        variants.map((variant) => <JsonView key={variant.name} variant={variant} onApplied={() => setView('form')} />)
      ) : (
        <>
          <TakeUnits resource={resource} variant={variants[0]!} />
          <FormPanels variants={variants} />
        </>
      )}
      <div className={classes.end}>
        <Button type="submit" loading={busy} leftSection={<FilePlus2 size={16} aria-hidden="true" />}>
          {t('make')}
        </Button>
        <Button
          variant="default"
          disabled={busy}
          leftSection={<ListChecks size={16} aria-hidden="true" />}
          onClick={() => void check()}
        >
          {t('check')}
        </Button>
      </div>
    </form>
  )
}

function VariantSelect({ variants, chosen }: { variants: readonly Variant[]; chosen: Variant }) {
  const { t } = useTranslation('credentials-editor')
  const { store } = useEditing()
  const choose = (name: string) =>
    store.replace(withVariant(store.draft, chosen, variants.find((one) => one.name === name)!))
  return (
    <NativeSelect
      className={parts.whole!}
      label={t('variant')}
      description={chosen.help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={variants.map(({ name, label }) => ({ value: name, label }))}
      value={chosen.name}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  )
}

/** Checks and makes; what is refused stands at its fields. */
function useMaking(resource: MadeResource, variants: readonly Variant[], draftKey: string) {
  const { t } = useTranslation(['credentials-editor', 'credentials-items'])
  const { store } = useEditing()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>()
  const asked = useRef({ text: '', key: '' })
  const checking = useAction(
    (body: Draft) => checkItem(resource, body),
    ({ academicTranscriptCreationError: reason }) => (reason ? t('transcriptWarning', { reason }) : t('checked')),
  )
  const making = useAction(
    (body: Draft) => makeItem(resource, body, keyFor(asked.current, body)),
    () => t('credentials-items:making.done'),
  )

  async function attempt<Answer>(act: (body: Draft) => Promise<Answer>): Promise<Answer | undefined> {
    setFailure(undefined)
    store.tell({})
    try {
      return await act(requestBody(store.draft, variants))
    } catch (error) {
      setFailure(error)
      if (error instanceof CallFailure && error.reason.kind === 'refused') store.tell(error.reason.problem.errors)
      return undefined
    }
  }

  async function make(event: { preventDefault: () => void }) {
    event.preventDefault()
    const item = await attempt(making.attempt)
    if (!item) return
    store.isOver = true
    await dropDraft(draftKey)
    await navigate({ to: `/${resource}/$id`, params: { id: item.id } })
  }

  return { failure, busy: checking.busy || making.busy, check: () => attempt(checking.attempt), make }
}

/** The same request has the same key, so that a second press makes nothing twice. */
function keyFor(asked: { text: string; key: string }, body: Draft): string {
  const text = JSON.stringify(body)
  if (text !== asked.text) Object.assign(asked, { text, key: crypto.randomUUID() })
  return asked.key
}
