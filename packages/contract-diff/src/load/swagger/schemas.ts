// Converts the schema keywords that differ between Swagger 2.0 and OpenAPI 3.0.
import { isObject, visitNodes } from '../../model/json.ts';

/** Rewrites schemas in place; lookalikes in examples change on both sides alike. */
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
  // A file response; file parameters are converted elsewhere.
  if (node.type === 'file' && node.in === undefined) Object.assign(node, { type: 'string', format: 'binary' });
}
