// What schemas of Swagger 2.0 write otherwise than those of OpenAPI 3.0.
import { isObject, visitNodes } from '../../model/json.ts';

/** Rewrites it in place, wherever it stands: what looks like it in an example looks like it on both sides. */
export function tidySchemas(root: object): void {
  visitNodes(root, (node) => {
    if (isObject(node)) tidy(node as Record<string, unknown>);
  });
}

function tidy(node: Record<string, unknown>): void {
  if (typeof node.discriminator === 'string') node.discriminator = { propertyName: node.discriminator };
  if (node['x-nullable'] === true && node.nullable === undefined) {
    node.nullable = true;
    delete node['x-nullable'];
  }
  // An answer that is a file; of parameters it is said elsewhere.
  if (node.type === 'file' && node.in === undefined) Object.assign(node, { type: 'string', format: 'binary' });
}
