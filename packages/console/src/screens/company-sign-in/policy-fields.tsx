/** Form fields for how people sign in: the policy for everybody, and those of single roles. */
import type { UseFormRegister } from 'react-hook-form';
import type { SignInConnection } from '../../api/sign-in-connections.ts';
import { Field } from '../../parts/fields/field.tsx';
import { named, t } from '../../parts/translate.ts';
import { type ConnectionFields, type PolicyOfRoles, signInRoles } from './fields.ts';
import { peopleNames, policyNames } from './names.ts';

export const emptyPolicies: PolicyOfRoles = { admin: '', manager: '', employee: '' };

export function existingPolicies({ sign_in_by_role: { admin, manager, employee } }: SignInConnection): PolicyOfRoles {
  return { admin: admin ?? '', manager: manager ?? '', employee: employee ?? '' };
}

/** An empty choice means no exception. */
export function policiesOf(roles: Partial<PolicyOfRoles>) {
  return Object.fromEntries(Object.entries(roles).map(([role, policy]) => [role, policy || null]));
}

export function PolicyFieldSet({ register }: { register: UseFormRegister<ConnectionFields> }) {
  return (
    <>
      <fieldset>
        <legend>{t`How people sign in`}</legend>
        {Object.keys(policyNames()).map((value) => (
          <label key={value} className="check">
            <input type="radio" value={value} {...register('sign_in')} />
            {named(policyNames, value)}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t`Exceptions for roles`}</legend>
        {signInRoles.map((role) => (
          <Field key={role} label={named(peopleNames, role)}>
            {(described) => (
              <select {...described} {...register(`sign_in_by_role.${role}`)}>
                <option value="">{t`As chosen for everybody`}</option>
                {Object.keys(policyNames()).map((value) => (
                  <option key={value} value={value}>
                    {named(policyNames, value)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
        <span className="quiet">
          {t`The sign-in page doesn't reveal roles: all addresses of your domains go to the provider unless every role can choose.`}
        </span>
      </fieldset>
    </>
  );
}
