# The short trip with openapi-generator: one class per tag, one method per operation.
require 'json'
require 'tmpdir'
require 'uri'
require 'collaborators'

RUN_ID = ENV.fetch('RUN_ID')
COMPANY = ENV.fetch('COMPANY_ID')

address = URI(ENV.fetch('BASE_URL'))
configuration = Collaborators::Configuration.new
configuration.scheme = address.scheme
configuration.host = "#{address.host}:#{address.port}"
configuration.server_index = nil # or the address in the document counts
configuration.access_token = ENV.fetch('ACCESS_TOKEN')
client = Collaborators::ApiClient.new(configuration)
collaborators = Collaborators::CollaboratorsApi.new(client)

def person(number)
  Collaborators::CollaboratorCreate.new(
    name: "Traveller #{number} #{RUN_ID}",
    email: "traveller-#{number}-#{RUN_ID}@verdelog.example",
    position: 'Driver',
    department: 'Fleet'
  )
end

added = (1..3).map { |number| collaborators.create_collaborator(COMPANY, person(number)) }
puts "created: #{added.size} collaborators, #{added.first.status}"

pages = 0
listed = []
cursor = nil
loop do
  options = { search: RUN_ID, limit: 2, cursor: cursor }.compact
  page = collaborators.list_collaborators(COMPANY, options)
  listed.concat(page.data.map(&:id))
  cursor = page.pagination.next_cursor
  pages += 1
  break if cursor.nil?
end
raise 'not everyone is listed' unless listed == added.map(&:id)

puts "listed: #{listed.size} collaborators on #{pages} pages"

Dir.mktmpdir do |folder|
  path = File.join(folder, 'contract.pdf')
  File.binwrite(path, "%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n")
  documents = Collaborators::DocumentsApi.new(client)
  document = documents.upload_document(COMPANY, added.first.id, File.new(path), 'contract')
  puts "uploaded: #{document.name}, #{document.type}, #{document.size} bytes"
end

begin
  collaborators.create_collaborator(COMPANY, person(1))
  raise 'a duplicate email address was accepted'
rescue Collaborators::ApiError => e
  body = JSON.parse(e.response_body)
  puts "rejected: #{body['error']}, email #{body['details']['email'][0]['code']}"
end
