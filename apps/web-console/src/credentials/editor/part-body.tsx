import { useEditing, useProblem } from './editing.tsx'
import classes from './editor.module.css'
import type { GroupField } from './form-types.ts'

/** The fields of a part, with what helps and what is wrong with it as a whole. */
export function PartBody({ field, path }: { field: GroupField; path: string }) {
  const { Fields } = useEditing()
  const problem = useProblem(path, field)
  return (
    <>
      {field.help && <p className={classes.help}>{field.help}</p>}
      {problem && <p className={classes.problem}>{problem}</p>}
      <div className={classes.fields}>
        <Fields fields={field.fields} path={path} />
      </div>
    </>
  )
}
